// Writes a network in the form of dlib_face_recognition_resnet_model_v1.dat with weights of a short pattern, for tests.
#include <dlib/dnn.h>
#include <iostream>
using namespace dlib;
template <template <int,template<typename>class,int,typename> class block, int N, template<typename>class BN, typename SUBNET>
using residual = add_prev1<block<N,BN,1,tag1<SUBNET>>>;
template <template <int,template<typename>class,int,typename> class block, int N, template<typename>class BN, typename SUBNET>
using residual_down = add_prev2<avg_pool<2,2,2,2,skip1<tag2<block<N,BN,2,tag1<SUBNET>>>>>>;
template <int N, template <typename> class BN, int stride, typename SUBNET>
using block = BN<con<N,3,3,1,1,relu<BN<con<N,3,3,stride,stride,SUBNET>>>>>;
template <int N, typename SUBNET> using ares = relu<residual<block,N,affine,SUBNET>>;
template <int N, typename SUBNET> using ares_down = relu<residual_down<block,N,affine,SUBNET>>;
template <typename SUBNET> using alevel0 = ares_down<256,SUBNET>;
template <typename SUBNET> using alevel1 = ares<256,ares<256,ares_down<256,SUBNET>>>;
template <typename SUBNET> using alevel2 = ares<128,ares<128,ares_down<128,SUBNET>>>;
template <typename SUBNET> using alevel3 = ares<64,ares<64,ares<64,ares_down<64,SUBNET>>>>;
template <typename SUBNET> using alevel4 = ares<32,ares<32,ares<32,SUBNET>>>;
using anet = loss_metric<fc_no_bias<128,avg_pool_everything<alevel0<alevel1<alevel2<alevel3<alevel4<
 max_pool<3,3,2,2,relu<affine<con<32,7,7,2,2,input_rgb_image_sized<150>>>>>>>>>>>>>;
int main(int, char** a) {
  anet net;
  matrix<rgb_pixel> im(150,150); for (auto& p : im) p = rgb_pixel(90,60,30);
  net(im);
  unsigned k = 0;
  visit_layer_parameters(net, [&](tensor& t) {
    if (t.size() == 0) return;
    float* p = t.host();
    // A pattern of 97 whose parts differ from filter to filter, as large as weights of such a layer are.
    size_t filters = k == 0 ? 128 : t.size() > 200000 ? 256 : t.size() > 70000 ? 128 : t.size() > 18496 ? 64 : 32;
    double fan = double(t.size()) / filters;
    float unit = std::exp2(std::round(std::log2(1.4 / std::sqrt(fan))));
    for (size_t i = 0; i < t.size(); i++) p[i] = (int((i % 97 + 1) * 2654435761u >> 20) % 5 - 2) * unit * (i < t.size() - filters || k == 0);
    k++;
  });
  net.clean();
  serialize(a[1]) << net;
}
